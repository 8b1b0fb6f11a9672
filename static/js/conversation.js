// One conversation, watched.
import { follow } from "./talk.js";
import "./verify_chain.js";

follow(document.querySelector("[data-relationship]"));
