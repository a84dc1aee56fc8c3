import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time used so far, in microseconds; unlike a rate it says the same on a busy machine. */
export type CpuClock = () => number;

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000;

export function cpuOf(pid: number): CpuClock {
  return () => ticks(pid) * TICK_US;
}

/** Of a PostgreSQL: its main process and those that serve connections. They live as long as the servers' pools do. */
export function cpuOfPostgres(dataDir: string): CpuClock {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return () => [pid, ...childrenOf(pid)].reduce((sum, process) => sum + ticks(process), 0) * TICK_US;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function ticks(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // the second field is a name in parentheses and may hold spaces; user and system time are the 14th and 15th
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** A process may end between being listed and being read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
