/** Minimum supported browsers, as esbuild targets. */
export const browsers = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];
