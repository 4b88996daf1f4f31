export { freePort } from '../demo/src/free-port.ts';
