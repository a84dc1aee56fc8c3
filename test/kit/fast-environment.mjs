// Jest's environment for Node, whose global object is that of a plain context. Jest's own is a proxy, which each use of a global such
// as String or Promise asks first: typesetting takes 2 to 3 times as long with it.
import { createRequire } from 'node:module';
import vm from 'node:vm';

const { TestEnvironment } = createRequire(createRequire(import.meta.url).resolve('jest'))('jest-environment-node');

export default class FastEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
