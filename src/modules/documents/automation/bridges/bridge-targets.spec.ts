import { expect, test } from '@jest/globals';
import type { TasksService } from '../../../tasks/tasks.public.js';
import { BridgeTargets } from './bridge-targets.js';

test('a target whose module the suite does not have is refused with those that it has', async () => {
  const targets = new BridgeTargets(undefined, {} as TasksService, undefined);
  const refusal = {
    spec: { code: 'validation_failed' },
    message: 'target cannot be lead, as the suite has no module for it',
    occurrence: { param: 'target', allowed: ['task'] },
  };
  expect(() => targets.requireOffered('task')).not.toThrow();
  expect(() => targets.requireOffered('lead')).toThrow('target cannot be lead');
  // a bridge of the time when the suite had the module: the run is recorded as failed
  await expect(targets.createTarget(null as never, null as never, 'lead', {}, 'project')).rejects.toMatchObject(refusal);
});
