/** The token endpoint of the quick start, which other code blocks import. */
export declare const POST: (request: Request) => Promise<Response>;

/** The same, as the quick start for Angular names it. */
export declare const tokenEndpoint: typeof POST;
