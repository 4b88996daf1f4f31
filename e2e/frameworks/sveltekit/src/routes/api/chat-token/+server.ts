import { POST as endpoint } from '$lib/server/chat-token';

export const POST = ({ request }: { request: Request }) => endpoint(request);
