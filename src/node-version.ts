const OLDEST = 22;

// Imported first: later files and the packages below them use what an older Node lacks.
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  // oxlint-disable-next-line no-console -- there is no logger yet
  console.error(
    `Work suite needs Node ${OLDEST} or newer; this is ${process.versions.node}. ` +
      'Run npm start, which uses the Node that package.json pins.',
  );
  process.exit(1);
}
