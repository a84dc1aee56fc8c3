import { builtIn, defineSuite } from 'work-suite';

export default defineSuite({ modules: builtIn() });
