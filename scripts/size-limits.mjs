/** Largest size of each load of `measure-loads.mjs`, in bytes and requests. Never raise one. */
export const limits = {
  inlay: { bytes: 4_000, requests: 1 },
  scriptTag: { bytes: 106_300, requests: 17 },
  packages: { bytes: 110_500, requests: 19 },
  client: { bytes: 25_000, requests: 2 },
};

/** What the loads are to come down to. */
export const targets = {
  scriptTag: { bytes: 85_000, requests: 4 },
  packages: { bytes: 85_000, requests: 4 },
  client: { bytes: 22_000, requests: 1 },
};
