import { TestPlatform } from './platform.mjs';

const address = /^\/test-platform\/(\w+)\/(?:agent\/v1(\/.*)|(control|token))$/;

/** Gives every test that asks for one a platform of its own, below `/test-platform/<name>`. */
export function testPlatforms() {
  const platforms = new Map();
  return async (context, next) => {
    const match = address.exec(context.url);
    if (!match) return next();
    const [, name, path, control] = match;
    if (!platforms.has(name)) platforms.set(name, new TestPlatform());
    // Koa would wait for the end of a stream that has none.
    context.respond = false;
    await platforms.get(name).handle(context.req, context.res, path ?? control);
  };
}
