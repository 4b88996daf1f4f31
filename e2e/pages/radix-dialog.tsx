/** A page with a modal dialog of Radix UI, on which shadcn/ui is based. */
import * as Dialog from '@radix-ui/react-dialog';
import { createRoot } from 'react-dom/client';

const app = document.body.appendChild(document.createElement('div'));

createRoot(app).render(
  <Dialog.Root defaultOpen>
    <Dialog.Portal>
      <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: 'rgb(0 0 0 / 50%)' }} />
      <Dialog.Content style={{ position: 'fixed', top: 40, left: 40, background: 'white' }}>
        <Dialog.Title>Order</Dialog.Title>
        <Dialog.Description>Enter a name.</Dialog.Description>
        <input aria-label="Name" />
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>,
);
