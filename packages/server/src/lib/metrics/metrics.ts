import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import type { BusMessage, BusOrigin } from '../bus/bus.ts';
import { modelMetrics } from './model-metrics.ts';

/** Maximum values of a label that configurations and requests name. Further values are counted as `other`. */
const maximumValues = 200;

/** Upper bounds of the buckets for requests, in seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Upper bounds of the buckets from the storing of a revocation to the end of a stream, in seconds. */
const revocationBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

/** An answered request. */
export interface AnsweredRequest {
  /** Pattern of the route: `/agent/v1/sessions/:id`. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Code of the problem; undefined without one. */
  readonly code: string | undefined;
}

/** Reads values at each scrape. */
interface Readers {
  readonly openStreams: () => number;
  readonly waitingRuns: () => Promise<number>;
  readonly waitingWebhooks: () => Promise<number>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of this process. No label has the id of a person, a session or a token, because
 * each value of a label is a series in the memory of Prometheus.
 */
export function createMetrics() {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges with the suffix of counters, which `promtool check metrics` reports.
  for (const kind of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  const requests = new Counter({
    name: 'inlay_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['service', 'route', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'inlay_http_request_duration_seconds',
    help: 'Time from a request to the head of its response.',
    labelNames: ['service', 'route', 'method'],
    buckets: requestBuckets,
    registers,
  });
  const problems = new Counter({
    name: 'inlay_problems_total',
    help: 'Requests that were refused or failed, by problem code.',
    labelNames: ['code'],
    registers,
  });
  const revocations = new Histogram({
    name: 'inlay_revocation_seconds',
    help: 'Time from the storing of a revocation to the end of each of its streams.',
    buckets: revocationBuckets,
    registers,
  });
  const runs = new Counter({
    name: 'inlay_runs_total',
    help: 'Ended runs, by stop reason.',
    labelNames: ['outcome'],
    registers,
  });
  const tokens = new Counter({
    name: 'inlay_tokens_issued_total',
    help: 'Issued embed tokens.',
    labelNames: ['source'],
    registers,
  });
  const spending = new Counter({
    name: 'inlay_spend_cents_total',
    help: 'Cost of model calls in cents.',
    labelNames: ['agent'],
    registers,
  });
  const swept = new Counter({
    name: 'inlay_sweep_rows_total',
    help: 'Rows that the hourly sweep has checked or deleted.',
    labelNames: ['kind'],
    registers,
  });
  const webhooks = new Counter({
    name: 'inlay_webhook_deliveries_total',
    help: 'Attempts at webhook deliveries, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const methodLabel = boundedLabel();
  const codeLabel = boundedLabel();
  const agentLabel = boundedLabel();

  return {
    /**
     * The metrics as text, and its media type: OpenMetrics if the client accepts it, otherwise the text
     * format of Prometheus.
     *
     * @param accept The `Accept` header of the request.
     */
    async read(accept = '') {
      const text = await registry.metrics();
      return accept.includes('application/openmetrics-text')
        ? { text, contentType: Registry.OPENMETRICS_CONTENT_TYPE }
        : { text: toPrometheusText(text), contentType: Registry.PROMETHEUS_CONTENT_TYPE };
    },

    /** Adds the values that are read at each scrape. */
    addReaders({ openStreams, waitingRuns, waitingWebhooks }: Readers) {
      new Gauge({
        name: 'inlay_streams_open',
        help: 'Open event streams.',
        registers,
        collect() {
          this.set(openStreams());
        },
      });
      new Gauge({
        name: 'inlay_runs_waiting',
        help: 'Runs in the queue of all processes that no process has taken.',
        registers,
        async collect() {
          // While the store does not respond, the other metrics are needed most.
          this.set(await waitingRuns().catch(() => Number.NaN));
        },
      });
      new Gauge({
        name: 'inlay_webhook_queue',
        help: 'Webhook deliveries of all processes that wait for an attempt.',
        registers,
        async collect() {
          this.set(await waitingWebhooks().catch(() => Number.NaN));
        },
      });
    },

    countRequest({ route, method, status, ms, code }: AnsweredRequest) {
      const labels = { service: route.split('/')[1] ?? '', route, method: methodLabel(method) };
      requests.inc({ ...labels, status });
      durations.observe(labels, ms / 1000);
      if (code !== undefined) problems.inc({ code: codeLabel(code) });
    },

    /** Counts the runs that this process has ended. */
    countEvents(message: BusMessage, from: BusOrigin) {
      if (message.kind !== 'session_events' || from !== 'here') return;
      for (const event of message.events) {
        if (event.type === 'session.status_idle') runs.inc({ outcome: event.stop_reason.type });
        if (event.type === 'session.status_terminated') runs.inc({ outcome: 'terminated' });
      }
    },

    /** @param ms Milliseconds since the revocation was stored. */
    countRevokedStreams(streams: number, ms: number) {
      for (let stream = 0; stream < streams; stream += 1) revocations.observe(ms / 1000);
    },

    countToken(source: 'backend' | 'hosted' | 'visitor' | 'exchange') {
      tokens.inc({ source });
    },

    countSpending(agent: string, cents: number) {
      spending.inc({ agent: agentLabel(agent) }, cents);
    },

    countWebhook(outcome: 'delivered' | 'retried' | 'failed' | 'skipped') {
      webhooks.inc({ outcome });
    },

    countSweptRows(kind: string, rows: number) {
      swept.inc({ kind }, rows);
    },

    models: modelMetrics(registers, boundedLabel()),
  };
}

/** Adds the suffix of the samples to the names of counters, which OpenMetrics omits in comments. */
function toPrometheusText(openMetrics: string): string {
  const counters = new Set(
    [...openMetrics.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name),
  );
  return openMetrics
    .replace(/^# (?:HELP|TYPE) (\S+)/gm, (comment, name) =>
      counters.has(name) ? `${comment}_total` : comment,
    )
    .replace(/# EOF\n$/, '');
}

/** Returns a function that replaces a value by `other` after `maximumValues` different ones. */
function boundedLabel(): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.size < maximumValues) known.add(value);
    return known.has(value) ? value : 'other';
  };
}
