import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the CPU time used so far in microseconds. Unlike a rate, it hardly depends on other load on the machine. */
export type CpuClock = () => number;

/** Linux measures CPU time in ticks of 10 ms. */
const TICK_US = 10_000;

export function cpuOf(pid: number): CpuClock {
  return () => ticks(pid) * TICK_US;
}

/** The CPU time of PostgreSQL: its main process and its connection processes, also of those that have ended. */
export function cpuOfPostgres(dataDir: string): CpuClock {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return () => childrenOf(pid).reduce((sum, process) => sum + ticks(process), ticks(pid) + ticksOfEnded(pid)) * TICK_US;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** User and system time. */
function ticks(pid: number): number {
  const [user, system] = fieldsOf(pid).slice(11);
  return user + system;
}

/** Of the child processes that the process has waited for. */
function ticksOfEnded(pid: number): number {
  const [user, system] = fieldsOf(pid).slice(13);
  return user + system;
}

/** Those of /proc/<pid>/stat from the third on: the second is a name in parentheses that may contain spaces. */
function fieldsOf(pid: number): number[] {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return fields.length > 14 ? fields : Array<number>(15).fill(0);
}

/** A process may end between being listed and being read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
