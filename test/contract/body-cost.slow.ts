// All lists of body-cost.e2e-spec.ts, those of each module.
process.env.BODY_COST_EACH_MODULE = 'yes';
await import('./body-cost.e2e-spec.js');

// the file is a module, so that it may await
export {};
