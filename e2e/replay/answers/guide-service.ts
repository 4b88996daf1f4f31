/** What the guide says of one service; every field is written for it. */
export interface Service {
  readonly name: string;
  readonly id: string;
  readonly job: string;
  readonly keeps: string;
  readonly port: number;
  /** Requests per second at the busiest hour. */
  readonly load: number;
  /** Milliseconds, median. */
  readonly latency: number;
  readonly metric: string;
  readonly limit: string;
  readonly limitValue: string;
  readonly symptom: string;
  readonly cause: string;
  readonly fix: string;
  readonly rule: string;
  readonly language: string;
}
