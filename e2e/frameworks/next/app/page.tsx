import { InlayChat } from '@inlay/react';

export default function Page() {
  return (
    <InlayChat
      baseUrl="https://chat.example"
      tokenUrl="/api/chat-token"
      style={{ display: 'block', height: '100dvh' }}
    />
  );
}
