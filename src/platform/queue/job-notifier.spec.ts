import { expect, it, jest } from '@jest/globals';
import { JobNotifier } from './job-notifier.js';

it('sends the first notification of a queue at once, and one for all that follow within the interval', async () => {
  jest.useFakeTimers();
  try {
    const sent: string[] = [];
    const notifier = new JobNotifier({ add: (name: string) => Promise.resolve(sent.push(name)) } as never);
    for (let call = 0; call < 50; call++) notifier.notify('one');
    notifier.notify('other');
    expect(sent).toEqual(['one', 'other']);
    await jest.advanceTimersByTimeAsync(10);
    expect(sent).toEqual(['one', 'other', 'one']);
    await jest.advanceTimersByTimeAsync(10);
    notifier.notify('one');
    expect(sent).toHaveLength(4);
    notifier.notify('one');
    notifier.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10);
    expect(sent).toHaveLength(4);
  } finally {
    jest.useRealTimers();
  }
});
