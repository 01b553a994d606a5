// Loaded before each test file (`setupFilesAfterEnv`), because jest 29 has one time limit for all
// projects.
import { url as debuggerUrl } from 'node:inspector';
import { VirtualTime } from './host/virtualTime';

declare const secondsForOneTest: number;
declare const drawnLists: number | undefined;

const ONE_HOUR = 3600;

// Nobody steps through a test in seconds.
const seconds = debuggerUrl() === undefined ? secondsForOneTest : ONE_HOUR;

jest.setTimeout(seconds * 1000);

afterEach(() => VirtualTime.endUnfinished());

// How many lists a property at the boundary draws, unless somebody says so.
if (typeof drawnLists === 'number') process.env.LIST_RUNS ??= String(drawnLists);
