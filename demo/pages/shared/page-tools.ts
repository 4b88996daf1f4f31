import type { ClientTools } from '@inlay/elements';

/** Tools that the agent can call in this page. The agent gets the returned text. */
export const pageTools: ClientTools = {
  get_page_info: () => {
    const headings = [...document.querySelectorAll('main h1, main h2')];
    return {
      title: document.title,
      path: location.pathname,
      headings: headings.map((heading) => heading.textContent?.trim()),
    };
  },
  open_page: ({ title }) => {
    const ticket = document.querySelector<HTMLElement>('.ticket');
    if (!ticket) throw new Error('This page shows no booking. The page “My journey” does.');
    ticket.tabIndex = -1;
    ticket.scrollIntoView({ block: 'center', behavior: 'smooth' });
    ticket.focus({ preventScroll: true });
    return `${String(title)} is in view.`;
  },
};
