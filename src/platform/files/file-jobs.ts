import type { Outbound } from '../../kit/index.js';
import type { ScheduledJobRunner, ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';
import type { AdoptFiles } from './adopt-files.js';
import type { CollectFiles } from './collect-files.js';
import type { MoveFiles } from './move-files.js';

export interface FileWork {
  move: MoveFiles;
  collect: CollectFiles;
  adopt: AdoptFiles;
  outbound: Outbound;
}

/**
 * The scheduled jobs of files. While nothing may leave the installation, nothing is put into a storage or deleted: the database may be a
 * copy, whose original needs the same files.
 */
export function registerFileJobs({ move, collect, adopt, outbound }: FileWork, target: 'storage' | 'database', runner: ScheduledJobRunner) {
  const moving: ScheduledWork = {
    name: 'platform.move_files',
    everySeconds: 15,
    async run(_now, signal) {
      if (target === 'database' || !outbound.isOpen) return;
      const { failed, reason } = await move.all('storage', signal);
      if (failed > 0) throw new Error(`${failed} files could not be moved to the storage; the last because of: ${reason}`);
    },
  };
  const collecting: ScheduledWork = {
    name: 'platform.collect_files',
    everySeconds: 10 * 60,
    async run(now, signal) {
      // neither waits for the other to succeed
      const adopted = await adopt.run(now, signal).catch((error: unknown) => ({ error }));
      if (outbound.isOpen) await collect.run(now, signal);
      if (adopted) throw adopted.error;
    },
  };
  for (const work of [moving, collecting]) runner.register(work);
}
