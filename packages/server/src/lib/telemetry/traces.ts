import type { Attributes, Context, Span, SpanKind, TracerProvider } from '@opentelemetry/api';
import { names } from './attributes.ts';

/**
 * The API of OpenTelemetry. It is the copy of the operator, who installs it with an SDK; undefined if
 * it is not installed, so that other processes start faster and use less memory.
 */
const api = await import('@opentelemetry/api').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
  throw error;
});

type Kind = Lowercase<keyof typeof SpanKind>;

interface SpanOptions {
  /** @default 'internal' */
  readonly kind?: Kind;
  readonly attributes: Attributes;
}

/** A span that has started. No attribute has text of a message, unless `telemetry.content` allows it. */
export class TraceSpan {
  readonly #span: Span;
  readonly #context: Context;

  constructor(span: Span, context: Context) {
    this.#span = span;
    this.#context = context;
  }

  /** Whether the attributes are recorded, so that expensive ones are worth their computation. */
  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the span as failed. The message of the error is not recorded, because it may quote users. */
  fail(errorType: string): void {
    this.#span.setAttribute(names.errorType, errorType);
    if (api) this.#span.setStatus({ code: api.SpanStatusCode.ERROR });
  }

  /** Calls `work` with this span as the parent of those that it starts. */
  within<Result>(work: () => Result): Result {
    return api ? api.context.with(this.#context, work) : work();
  }

  end(): void {
    this.#span.end();
  }
}

/** Starts a span, by default below the active one. Returns undefined without OpenTelemetry. */
export function startSpan(
  name: string,
  { kind = 'internal', attributes }: SpanOptions,
  parent?: Context,
): TraceSpan | undefined {
  if (!api) return undefined;
  const context = parent ?? api.context.active();
  const spanKind = api.SpanKind[kind.toUpperCase() as Uppercase<Kind>];
  const span = api.trace
    .getTracer('@inlay/server')
    .startSpan(name, { kind: spanKind, attributes }, context);
  return new TraceSpan(span, api.trace.setSpan(context, span));
}

/**
 * Starts the span of a request, below the span that its `traceparent` names, or below that of the
 * operator's own instrumentation. Baggage is dropped, because its values would be sent to other hosts.
 */
export function startRequestSpan(
  name: string,
  headers: Headers,
  attributes: Attributes,
): TraceSpan | undefined {
  if (!api) return undefined;
  const active = api.context.active();
  const context = api.trace.getSpan(active)
    ? active
    : api.propagation.extract(active, headers, {
        get: (fields, key) => fields.get(key) ?? undefined,
        keys: (fields) => [...fields.keys()],
      });
  const parent = api.propagation.deleteBaggage(context);
  return startSpan(name, { kind: 'server', attributes }, parent);
}

/** Calls `work` within a span, which ends when the promise settles. */
export async function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: TraceSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (!span) return work(undefined);
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error instanceof Error ? error.name : '_OTHER');
    throw error;
  } finally {
    span.end();
  }
}

/** Calls `work` outside of all spans, for work that does not belong to the request that caused it. */
export function outsideSpans<Result>(work: () => Result): Result {
  return api ? api.context.with(api.ROOT_CONTEXT, work) : work();
}

/** Returns the headers that name the active span to another server: `traceparent`. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), headers);
  return headers;
}

/**
 * Exports the spans that have ended, before the process exits. The API has no method for this, but the
 * providers of the SDKs have it.
 */
export async function flushSpans(): Promise<void> {
  if (!api) return;
  const registered = api.trace.getTracerProvider();
  const provider: TracerProvider & { forceFlush?: () => Promise<void> } =
    registered instanceof api.ProxyTracerProvider ? registered.getDelegate() : registered;
  // The SDK reports its failures itself.
  await provider.forceFlush?.().catch(() => {});
}
