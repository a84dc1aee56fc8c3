// npm start: install, build, run, each only when needed.
import { join } from 'node:path';
import { become, build, fail, install, pinnedNode, ROOT } from './prepare.mjs';

try {
  await install();
  await build();
  become(pinnedNode(), ['--enable-source-maps', join(ROOT, 'dist', 'src', 'main.js'), ...process.argv.slice(2)]);
} catch (error) {
  fail(error);
}
