import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the CPU time used so far in microseconds. Unlike a rate, it hardly depends on other load on the machine. */
export type CpuClock = () => number;

/** Linux measures CPU time in ticks of 10 ms. */
const TICK_US = 10_000;

export function cpuOf(pid: number): CpuClock {
  return () => ticks(pid) * TICK_US;
}

/** The CPU time of PostgreSQL: its main process and its connection processes, which live as long as the servers' pools. */
export function cpuOfPostgres(dataDir: string): CpuClock {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return () => [pid, ...childrenOf(pid)].reduce((sum, process) => sum + ticks(process), 0) * TICK_US;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function ticks(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // the second field is a name in parentheses that may contain spaces; user and system time are the 14th and 15th field
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
