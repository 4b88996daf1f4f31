const meta = document.querySelector<HTMLMetaElement>('meta[name="inlay-platform"]');

/** URL of the platform. On your site, this is a constant. */
export const platform = meta?.content ?? 'https://chat.example';
