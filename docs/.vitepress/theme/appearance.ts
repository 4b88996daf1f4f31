/**
 * Shows pictures in the colours that the reader has chosen on the site. `<picture>` alone, as in the
 * repository, follows the system, which can differ.
 */
export function followAppearance(): void {
  const root = document.documentElement;
  const update = () => {
    const media = root.classList.contains('dark') ? 'all' : 'not all';
    for (const source of document.querySelectorAll('picture source')) {
      if (source.getAttribute('media') !== media) source.setAttribute('media', media);
    }
  };
  new MutationObserver(update).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['class'],
  });
  update();
}
