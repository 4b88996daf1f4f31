import type { Service } from './guide-service.ts';

/** A paragraph with code in the language of the service. */
export function codeExample(service: Service): string {
  const write = examples[service.language] ?? shell;
  return write(service);
}

const examples: Record<string, (service: Service) => string> = {
  typescript,
  python,
  go,
  rust,
  sql,
  yaml,
  bash: shell,
};

function typescript({ id, limit, limitValue, latency }: Service): string {
  return `The check at the door is the part that is read most often, and it is short:

\`\`\`ts
const most = ${digits(limitValue)}; // ${limit}

export async function handle(request: Request, deps: Deps): Promise<Response> {
  const found = await deps.${id}.load(request.headers.get('x-subject') ?? '');
  if (!found) return problem(404, 'NOT_FOUND');
  if (found.count >= most) return problem(429, \`at most \${most} ${limit}\`);
  const answer = await withTimeout(found.answer(), ${latency * 20});
  return Response.json({ ...answer, served_by: deps.node });
}
\`\`\``;
}

function python({ id, metric, latency }: Service): string {
  return `The worker loop, with the wait that everybody forgets:

\`\`\`python
def run(queue: Queue, clock: Clock, stop: Event) -> None:
    """Work until told to stop; never faster than the replica can follow."""
    while not stop.is_set():
        batch = queue.take("${id}", most=500)
        if not batch:
            clock.sleep(${(latency / 100).toFixed(2)})
            continue
        with transaction() as tx:
            for item in sorted(batch, key=lambda each: each.key):
                tx.apply(item)
        metrics.count("${id}_${metric}", len(batch))
        while replica_lag() > 2.0:  # seconds
            clock.sleep(0.5)
\`\`\``;
}

function go({ id, metric, limitValue }: Service): string {
  return `The server starts like all our Go services, and the order of the deferred calls matters:

\`\`\`go
func serve(ctx context.Context, cfg Config) error {
	store, err := open(ctx, cfg.${capital(id)})
	if err != nil {
		return fmt.Errorf("open ${id}: %w", err)
	}
	defer store.Close()

	sem := make(chan struct{}, ${digits(limitValue)})
	return listen(ctx, cfg.Listen, func(w http.ResponseWriter, r *http.Request) {
		select {
		case sem <- struct{}{}:
			defer func() { <-sem }()
			store.ServeHTTP(w, r)
		default:
			metrics.Inc("${id}_${metric}")
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
}
\`\`\``;
}

function rust({ id, metric, limitValue }: Service): string {
  return `The hot path allocates nothing, and there is a test that says so:

\`\`\`rust
const MOST: u64 = ${digits(limitValue)};

pub fn admit(entry: &Entry, now: Instant, seen: &AtomicU64) -> Result<Ticket, Refusal> {
    let count = seen.fetch_add(1, Ordering::Relaxed);
    if count >= MOST {
        seen.fetch_sub(1, Ordering::Relaxed);
        metrics::increment("${id}_${metric}");
        return Err(Refusal { retry_after: entry.window_ends - now });
    }
    Ok(Ticket { offset: entry.offset as u64, taken: now })
}
\`\`\``;
}

function sql({ id, metric, limitValue }: Service): string {
  return `This is the one statement to know. Run it on the replica:

\`\`\`sql
-- Who is close to the limit, and since when?
SELECT subject, count(*) AS n, min(created_at) AS since
FROM ${id}
WHERE closed_at IS NULL
GROUP BY subject
HAVING count(*) > ${digits(limitValue)} * 0.8
ORDER BY n DESC, since
LIMIT 20;

CREATE UNIQUE INDEX CONCURRENTLY ${id}_open_once
  ON ${id} (subject, item) WHERE closed_at IS NULL;  -- counted as ${metric}
\`\`\``;
}

function yaml({ id, port, metric }: Service): string {
  return `How the cluster sees it:

\`\`\`yaml
kind: Service
metadata:
  name: ${id}
  labels: { team: platform, tier: "1" }
spec:
  ports:
    - { name: http, port: ${port}, protocol: TCP }
  readiness:
    path: /ready   # answers 503 while draining
    every: 2s
  scale:
    on: ${id}_${metric}
    min: 3
    max: 24
\`\`\``;
}

function shell({ id, port, metric }: Service): string {
  return `What to type first, and nothing here changes anything:

\`\`\`bash
set -euo pipefail
for node in $(lanternctl nodes ${id} --ready); do
  printf '%s ' "$node"
  curl -fsS --max-time 2 "http://$node:${port}/metrics" \\
    | awk '$1 == "${id}_${metric}" { print $2 }' || echo 'no answer'
done | sort -k2 -n -r | head -n 10
\`\`\``;
}

const digits = (value: string) => Number.parseInt(value.replaceAll(',', ''), 10);

const capital = (id: string) => id.charAt(0).toUpperCase() + id.slice(1);
