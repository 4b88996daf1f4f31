import { POST } from '../utils/chat-token';

export default defineEventHandler((event) => POST(toWebRequest(event)));
