const requests = new Map();

/** The content of each kind of file: a module, and an image of 20 by 10 pixels. */
const files = {
  module: { type: 'js', body: (attempts) => `export const attempts = ${attempts};` },
  image: {
    type: 'svg',
    body: () => '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
  },
};

/**
 * Koa middleware of Web Test Runner that serves files at `/unreliable-module/<name>?failures=<n>` and
 * `/unreliable-image/<name>?failures=<n>`. The first `n` requests for a path get the status 503. A module
 * exports `attempts`, the number of requests for its path. The path has no extension, because the test
 * server lets browsers cache every response for a path with an extension, also errors.
 */
export function unreliableFiles(context, next) {
  const [, kind] = /^\/unreliable-(module|image)\//.exec(context.path) ?? [];
  if (kind === undefined) return next();
  const attempts = (requests.get(context.path) ?? 0) + 1;
  requests.set(context.path, attempts);
  const isFailure = attempts <= Number(context.query.failures);
  context.status = isFailure ? 503 : 200;
  context.type = files[kind].type;
  // Without a body: browsers show the image of a response, also with an error status.
  context.body = isFailure ? '' : files[kind].body(attempts);
}
