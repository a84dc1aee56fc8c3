/** Width of a step of the logarithmic scale on which latencies are counted: 5 %, so a value is off by 2.5 % at most. */
const STEP = 1.05;
const LEAST_MS = 0.01;

/** SQL for the step of a latency column, a whole number. */
export function stepSql(column: string): string {
  return `floor(ln(greatest(${column}::float8, ${LEAST_MS})) / ln(${STEP}::float8))::int`;
}

/** Counts of calls by latency step. */
export class CallStats {
  calls = 0;
  errors = 0;
  private readonly steps = new Map<number, number>();

  add(step: number, calls: number, errors: number): void {
    this.calls += calls;
    this.errors += errors;
    this.steps.set(step, (this.steps.get(step) ?? 0) + calls);
  }

  toDto() {
    const { calls, errors } = this;
    return {
      calls,
      errors,
      error_rate: calls === 0 ? 0 : Math.round((errors / calls) * 1e6) / 1e6,
      latency_ms_p50: this.percentile(0.5),
      latency_ms_p95: this.percentile(0.95),
      latency_ms_p99: this.percentile(0.99),
    };
  }

  private percentile(share: number): number | null {
    if (this.calls === 0) return null;
    const wanted = Math.ceil(share * this.calls);
    let seen = 0;
    for (const [step, calls] of [...this.steps].sort(([one], [other]) => one - other)) {
      seen += calls;
      if (seen >= wanted) return Math.round(STEP ** (step + 0.5) * 1000) / 1000;
    }
    return null;
  }
}
