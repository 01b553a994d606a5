// Loaded before each test file (`setupFilesAfterEnv`), because jest 29 has one time limit for all
// projects.
import { url as debuggerUrl } from 'node:inspector';

declare const secondsForOneTest: number;

const ONE_HOUR = 3600;

// Nobody steps through a test in seconds.
const seconds = debuggerUrl() === undefined ? secondsForOneTest : ONE_HOUR;

jest.setTimeout(seconds * 1000);
