/** The oldest browsers that what we ship to them works in. */
export const browsers = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];
