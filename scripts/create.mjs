#!/usr/bin/env node
// npm create work-suite <folder>: what `work-suite new <folder>` does, without an installation of the suite. scripts/pack.mjs packs it.
import { run } from './new-project.mjs';
import { fail } from './prepare.mjs';

await run(process.argv.slice(2)).then((code) => process.exit(code), fail);
