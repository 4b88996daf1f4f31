import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  chatEndpoint,
  chunk,
  done,
  finish,
  type Handler,
  refuse,
  stream,
  usage,
} from '../testing/chat-endpoint.ts';
import { spawnServer } from '../testing/server-process.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { startTraceReceiver } from '../testing/telemetry/trace-receiver.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';

const fixture = (name: string) => new URL(`../testing/telemetry/${name}`, import.meta.url);
const person = 'ada.lovelace@example.com';
/** Words that occur nowhere else. */
const words = { message: 'zanzibar', input: 'quagga', answer: 'okapi' };
const host = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

const callsTool = stream(
  chunk({
    tool_calls: [
      { index: 0, id: 'c1', function: { name: 'look_up', arguments: `{"of":"${words.input}"}` } },
    ],
  }),
  finish('tool_calls'),
  usage(12, 3),
  done,
);
const answers = stream(chunk({ content: words.answer }), finish(), usage(20, 4), done);

/** Starts the built server with the SDK of OpenTelemetry. */
async function startTracedServer(handlers: Handler[], hasContent = false) {
  const endpoint = await chatEndpoint(...handlers);
  const receiver = await startTraceReceiver();
  const server = await spawnServer(
    {},
    {
      INLAY_DATA: temporaryFolder(),
      INLAY_CONFIG: fileURLToPath(fixture('inlay.config.mjs')),
      NODE_OPTIONS: `--import ${fixture('otel.mjs').href}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      TEST_MODEL_URL: endpoint.url,
      TEST_CONTENT: String(hasContent),
    },
  );
  onTestFinished(() => server.kill());
  const issued = await server.issue(person);
  return {
    server,
    issued,
    requests: endpoint.requests,
    spans: receiver.spans,
    named: (name: string) => receiver.spans.filter((span) => span.name === name),
    async startSession(headers: Record<string, string> = {}): Promise<string> {
      const body = { initial_events: [message(words.message)] };
      const response = await server.call(issued.token, 'POST', '/sessions', body, headers);
      return ((await response.json()) as { id: string }).id;
    },
    /** Stops the server after the run of a session. Returns the events of the session. */
    async stopAfterRun(sessionId: string) {
      const stream = await server.follow(issued.token, sessionId);
      await stream.until(isType('session.status_idle'));
      server.child.kill('SIGTERM');
      await stream.toEnd();
      expect(await server.exited).toBe(0);
      return stream.seen.map(({ data }) => data);
    },
  };
}

/** Performs a conversation that a host begins within its own trace, and stops the server. */
async function converse(handlers = [callsTool, answers], hasContent = false) {
  const started = await startTracedServer(handlers, hasContent);
  const { server, issued, startSession, stopAfterRun } = started;
  const webhooks = await startWebhookReceiver();
  const created = await server.backend('POST', '/webhook_endpoints', {
    url: `${webhooks.url}/hooks`,
    events: ['message.created'],
  });
  webhooks.secrets.set('/hooks', (await created.json()).secret);
  const sessionId = await startSession({
    traceparent: `00-${host.traceId}-${host.spanId}-01`,
    baggage: `user=${encodeURIComponent(person)}`,
  });
  await expect.poll(() => webhooks.received.length).toBe(1);
  const events = await stopAfterRun(sessionId);
  return {
    ...started,
    webhooks: webhooks.received,
    toolResult: JSON.stringify(events.find(({ type }) => type === 'agent.tool_result')),
    sessionId,
    ids: [person, encodeURIComponent(person), issued.token, issued.id],
  };
}

describe('traces', () => {
  it('have the spans of a request, its run, its model calls and its tool calls, and continue the trace of the host', async () => {
    const { named, requests, webhooks, toolResult, sessionId } = await converse();

    const [request] = named('POST /agent/v1/sessions');
    const [run] = named('invoke_agent Desk');
    const chats = named('chat m');
    const [tool] = named('execute_tool look_up');
    expect(request).toMatchObject({ traceId: host.traceId, parentSpanId: host.spanId, kind: 2 });
    expect(run).toMatchObject({ traceId: host.traceId, parentSpanId: request?.spanId, kind: 1 });
    expect(chats).toHaveLength(2);
    for (const chat of chats) {
      expect(chat).toMatchObject({ traceId: host.traceId, parentSpanId: run?.spanId, kind: 3 });
    }
    expect(tool).toMatchObject({ traceId: host.traceId, parentSpanId: run?.spanId, kind: 1 });
    // To the provider and the tools.
    expect(requests.map(({ headers }) => headers.traceparent)).toEqual(
      chats.map(({ spanId }) => `00-${host.traceId}-${spanId}-01`),
    );
    expect(requests.map(({ headers }) => headers.baggage)).toEqual([undefined, undefined]);
    expect(toolResult).toContain(`active: ${tool?.spanId}`);
    // Deliveries have traces of their own.
    const deliveries = named('POST').map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
    expect(deliveries).toContain(webhooks[0]?.headers.traceparent);
    expect(deliveries.join()).not.toContain(host.traceId);

    const value = (span: typeof run, key: string) =>
      span?.attributes.find((attribute) => attribute.key === key)?.value;
    expect(value(request, 'http.response.status_code')).toEqual({ intValue: 200 });
    expect(value(run, 'gen_ai.conversation.id')).toEqual({ stringValue: sessionId });
    expect(value(chats[0], 'gen_ai.response.finish_reasons')).toEqual({
      arrayValue: { values: [{ stringValue: 'tool_calls' }] },
    });
    expect(value(chats[0], 'gen_ai.usage.input_tokens')).toEqual({ intValue: 12 });
    expect(value(tool, 'gen_ai.tool.name')).toEqual({ stringValue: 'look_up' });
  });

  it('have neither texts nor the ids of people and tokens', async () => {
    const { spans, ids } = await converse();

    const text = JSON.stringify(spans);
    expect(text).toContain('gen_ai.usage.output_tokens');
    for (const secret of [...Object.values(words), ...ids]) expect(text).not.toContain(secret);
  });

  it('have the texts with `telemetry.content`, but no ids of people and tokens', async () => {
    const { spans, ids } = await converse([callsTool, answers], true);

    const text = JSON.stringify(spans);
    for (const word of Object.values(words)) expect(text).toContain(word);
    for (const id of ids) expect(text).not.toContain(id);
  });

  it('are separate for a run that waited in the queue', async () => {
    let respond = () => {};
    const isQueued = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const waits: Handler = async (response, request) => {
      await isQueued;
      await answers(response, request);
    };
    const { startSession, stopAfterRun, named } = await startTracedServer([waits, answers]);
    await startSession({ traceparent: `00-${host.traceId}-${host.spanId}-01` });
    const second = await startSession();
    respond();
    await stopAfterRun(second);

    const runs = named('invoke_agent Desk');
    expect(runs.map(({ traceId }) => traceId)).toEqual([
      host.traceId,
      expect.not.stringMatching(host.traceId),
    ]);
    expect(runs[1]?.parentSpanId ?? '').toBe('');
  });

  it('mark failed model calls with the status, without the message of the provider', async () => {
    const refused = refuse(403, { message: `not for ${words.answer}` });
    const { spans, named } = await converse([refused]);

    const [chat] = named('chat m');
    expect(chat?.status.code).toBe(2);
    expect(chat?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: '403' } });
    expect(JSON.stringify(spans)).not.toContain(words.answer);
  });
});
