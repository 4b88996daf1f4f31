/** Content of the guide about one service. */
export interface Service {
  readonly name: string;
  readonly id: string;
  readonly job: string;
  readonly keeps: string;
  readonly port: number;
  /** Requests per second at peak load. */
  readonly load: number;
  /** Median latency in milliseconds. */
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
