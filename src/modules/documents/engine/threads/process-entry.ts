// Runs in the processes of WorkerProcesses.
import { writeFile } from 'node:fs/promises';
import module from 'node:module';

/** A function of the worker, and what it gets. */
export interface Call {
  name: string;
  input: object;
}

export type Answer = { result: unknown } | { error: { message: string; stack?: string; name: string } };

type Worker = Readonly<Record<string, (input: object) => unknown>>;

// of all processes, the kernel ends this one first if memory is short; only Linux has such a file
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
const worker = (await import(process.argv[2])) as Worker;

process.on('disconnect', () => process.exit());
process.on('message', (call: Call) => {
  void answer(call).then((reply) => {
    process.send?.(reply);
    // written now, because the process will be killed
    module.flushCompileCache?.();
  });
});

async function answer({ name, input }: Call): Promise<Answer> {
  try {
    return { result: await worker[name](input) };
  } catch (error) {
    const { message, stack, name: type } = error as Error;
    return { error: { message, stack, name: type } };
  }
}
