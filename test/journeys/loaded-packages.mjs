// Loaded into the service by NODE_OPTIONS: writes at its end which packages it loaded, each once, to the file LOADED_PACKAGES.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (name) packages.add(name);
    return next(url, context);
  },
});
if (isMainThread) process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES, JSON.stringify([...packages].sort())));
