/** The token endpoint of the quick start, which other code blocks import. */
export declare const POST: (request: Request) => Promise<Response>;
