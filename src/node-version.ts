/** The first that has `registerHooks`. */
const OLDEST = '22.15';

// Imported first: later files and the packages below them use what an older Node lacks. Those that the entries import statically name no
// export that it lacks, because it links all of them before it runs this one.
if (process.versions.node.localeCompare(OLDEST, 'en', { numeric: true }) < 0) {
  // oxlint-disable-next-line no-console -- there is no logger yet
  console.error(
    `Work suite needs Node ${OLDEST} or newer; this is ${process.versions.node}. ` +
      'Run npm start or node_modules/.bin/node, which is the Node that package.json pins.',
  );
  process.exit(1);
}
