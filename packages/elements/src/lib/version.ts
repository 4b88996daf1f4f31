/** The version of this package. Generated from `package.json` by `npm run manifest`. */
export const version = '0.1.0';
