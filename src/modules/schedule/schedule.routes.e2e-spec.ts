import { describeModule } from '../../../test/kit/describe-module.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';

await describeModule(await sharedApp(), 'schedule');
