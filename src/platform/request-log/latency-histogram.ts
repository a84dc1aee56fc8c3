/** Width of a step of the logarithmic scale on which latencies are counted: 5 %, so a value is off by 2.5 % at most. */
const STEP = 1.05;
const LEAST_MS = 0.01;
/** The step of the least latency. */
const FIRST_STEP = Math.floor(Math.log(LEAST_MS) / Math.log(STEP));
/** Up to some days. */
const STEPS = 512;
const [COLON, COMMA, MINUS, ZERO] = [':', ',', '-', '0'].map((character) => character.charCodeAt(0));

/** SQL for the step of a latency column, a whole number. */
export function stepSql(column: string): string {
  return `floor(ln(greatest(${column}::float8, ${LEAST_MS})) / ln(${STEP}::float8))::int`;
}

/** Counts of calls by latency step. */
export class CallStats {
  calls = 0;
  errors = 0;
  private readonly steps = new Int32Array(STEPS);

  add(step: number, calls: number, errors: number): void {
    this.calls += calls;
    this.errors += errors;
    this.steps[Math.min(Math.max(step - FIRST_STEP, 0), STEPS - 1)] += calls;
  }

  /** Adds calls that were counted before, as `step:calls` with commas. Without splitting, because there are a million of them. */
  addCounted(counted: string, errors: number): void {
    let step = 0;
    let number = 0;
    let sign = 1;
    for (let index = 0; index <= counted.length; index++) {
      const character = counted.charCodeAt(index);
      if (character === COLON) {
        step = sign * number;
        [number, sign] = [0, 1];
      } else if (character === COMMA || index === counted.length) {
        this.add(step, number, 0);
        number = 0;
      } else if (character === MINUS) sign = -1;
      else number = number * 10 + character - ZERO;
    }
    this.errors += errors;
  }

  addAll({ calls, errors, steps }: CallStats): void {
    this.calls += calls;
    this.errors += errors;
    for (let index = 0; index < STEPS; index++) this.steps[index] += steps[index];
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
    const index = this.steps.findIndex((calls) => (seen += calls) >= wanted);
    return Math.round(STEP ** (index + FIRST_STEP + 0.5) * 1000) / 1000;
  }
}
