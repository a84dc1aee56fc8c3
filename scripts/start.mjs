// npm start: install, build, run, each only when needed.
import { join } from 'node:path';
import { become, build, fail, install, pinnedNode, ROOT } from './prepare.mjs';

// A larger nursery is no faster for short requests and keeps some 80 MiB more under load (npm run bench).
const NURSERY = '--max-semi-space-size=8';

try {
  await install();
  await build();
  become(pinnedNode(), ['--enable-source-maps', NURSERY, join(ROOT, 'dist', 'src', 'main.js'), ...process.argv.slice(2)]);
} catch (error) {
  fail(error);
}
