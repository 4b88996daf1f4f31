import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Support } from './support';

const container = document.getElementById('app');
if (container) {
  createRoot(container).render(
    <StrictMode>
      <Support />
    </StrictMode>,
  );
}
