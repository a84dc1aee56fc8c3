// npm start: installs and builds if needed, then runs the suite.
import { join } from 'node:path';
import { become, build, fail, install, pinnedNode, ROOT } from './prepare.mjs';

// A larger nursery is not faster for short requests, but takes about 80 MiB more under load (npm run bench).
const NURSERY = '--max-semi-space-size=8';

try {
  await install();
  await build();
  process.exit(
    await become(pinnedNode(), ['--enable-source-maps', NURSERY, join(ROOT, 'dist', 'src', 'main.js'), ...process.argv.slice(2)]),
  );
} catch (error) {
  fail(error);
}
