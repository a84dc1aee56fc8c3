// work-suite build: installs (in the repository of the suite) and compiles.
import { build, install } from './prepare.mjs';

export async function run() {
  await install();
  await build();
  return 0;
}
