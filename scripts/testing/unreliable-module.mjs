const requests = new Map();

/**
 * Koa middleware of Web Test Runner that serves modules at
 * `/unreliable-module/<name>?failures=<n>`. The first `n` requests for a name get the status 503. The
 * module then exports `attempts`, the number of requests for this name. The path has no extension,
 * because the test server lets browsers cache every response for a path with an extension, also errors.
 */
export function unreliableModule(context, next) {
  if (!context.path.startsWith('/unreliable-module/')) return next();
  const attempts = (requests.get(context.path) ?? 0) + 1;
  requests.set(context.path, attempts);
  context.status = attempts <= Number(context.query.failures) ? 503 : 200;
  context.type = 'js';
  context.body = `export const attempts = ${attempts};`;
}
