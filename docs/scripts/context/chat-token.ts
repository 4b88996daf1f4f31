/** The token endpoint of the quick start, which other code blocks import. */
export declare const POST: (request: Request) => Promise<Response>;

/** The same endpoint, by its name in the quick start for Angular. */
export declare const tokenEndpoint: typeof POST;
