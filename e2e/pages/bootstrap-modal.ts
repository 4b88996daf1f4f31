/** A page with a modal of Bootstrap. */
import { Modal } from 'bootstrap';

document.body.insertAdjacentHTML(
  'beforeend',
  `<div class="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content"><div class="modal-body">
    <input aria-label="Name" autofocus>
  </div></div></div></div>`,
);
new Modal('.modal').show();
