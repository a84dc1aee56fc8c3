import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, type Stats } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process is the server of this cluster, and not one that got the same process id later. True if that cannot be
 * determined, because removing the lock file of a running server would let two servers write the same data.
 */
export function mayServe(pid: number, cluster: string): boolean {
  if (existsSync('/proc/self/cwd')) {
    const workingDirectory = statOf(`/proc/${pid}/cwd`);
    const folder = statOf(cluster);
    return workingDirectory !== undefined && workingDirectory.dev === folder?.dev && workingDirectory.ino === folder.ino;
  }
  const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout.includes('postgres') : isAlive(pid);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** In a container whose init process does not reap zombies, a server that has ended stays listed. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
  } catch {
    return false;
  }
}
