import { median, spread, type Round, type Rounds } from './load.js';

/** One line of a report, which compares a workload with its base. */
export interface ReportLine {
  name: string;
  /** The minimum ratio of ours to the base; null if there is no goal. */
  goal: number | null;
  /** Compares CPU time instead of rates, because it hardly depends on other load on the machine. */
  byCost?: true;
}

const WIDTHS = [34, 13, 13, 5, 8, 3, 11, 11];

export function printHeading(explanation: string): void {
  console.log(`\n${explanation}; cpu: microseconds per request in the server + in PostgreSQL\n`);
  console.log(row('workload', 'base', 'ours', 'ratio', 'goal', 'ok', 'base cpu', 'ours cpu'));
  console.log(row(...WIDTHS.map(() => '---')));
}

export function printComparison({ name, goal, byCost }: ReportLine, { base, ours }: Rounds): void {
  const speed = (rounds: readonly Round[]) =>
    median(rounds.map(({ rate, serverCpu, databaseCpu }) => (byCost ? 1 / (serverCpu + databaseCpu) : rate)));
  const ratio = speed(ours) / speed(base);
  const verdict = goal === null ? ['', ''] : [`>= ${goal.toFixed(2)}`, ratio >= goal ? 'yes' : 'NO'];
  console.log(row(name, rateOf(base), rateOf(ours), ratio.toFixed(2), ...verdict, cpuText(base), cpuText(ours)));
}

/** Prints values whose median must not exceed the goal. */
export function printAtMost(name: string, { base, ours }: { base?: number[]; ours: number[] }, goal: number): void {
  const whole = (values: readonly number[]) => String(Math.round(median(values)));
  const ratio = base ? (median(ours) / median(base)).toFixed(2) : '';
  console.log(row(name, base ? whole(base) : '', whole(ours), ratio, `<= ${goal}`, median(ours) <= goal ? 'yes' : 'NO', '', ''));
}

function rateOf(rounds: readonly Round[]): string {
  const rates = rounds.map(({ rate }) => rate);
  return `${Math.round(median(rates))}/s ±${Math.round(spread(rates) * 50)}%`;
}

function cpuText(rounds: readonly Round[]): string {
  const [server, database] = [rounds.map(({ serverCpu }) => serverCpu), rounds.map(({ databaseCpu }) => databaseCpu)];
  return `${Math.round(median(server))} + ${Math.round(median(database))}`;
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell, index) => cell.padEnd(WIDTHS[index])).join(' | ')} |`;
}
