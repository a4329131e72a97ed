export { PaymentEmulator, type EmulatorOptions, type CardBehaviour } from './emulator.ts';
