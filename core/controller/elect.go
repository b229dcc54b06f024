package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
)

// processStartup begins to watch /controller and runs for the office. Kafka: KafkaController.processStartup.
func (c *Controller) processStartup() error {
	if _, err := c.registerControllerHandler(); err != nil {
		return err
	}
	return c.elect()
}

// processReelect: /controller is gone. Kafka: KafkaController.processReelect.
func (c *Controller) processReelect() error {
	if err := c.maybeResign(); err != nil {
		return err
	}
	return c.elect()
}

// processRegisterBrokerAndReelect: this process has a new session. Kafka: processRegisterBrokerAndReelect.
func (c *Controller) processRegisterBrokerAndReelect() error {
	if _, err := c.cfg.RegisterBroker(); err != nil {
		return err
	}
	return c.processReelect()
}

// processExpire: the session of this process is over, whatever it was. Kafka: KafkaController.processExpire.
func (c *Controller) processExpire() error {
	c.setActive(kafka.NoBroker)
	c.onControllerResignation()
	return nil
}

// registerControllerHandler watches /controller and reports whether it exists. Every broker does so, always.
// Kafka: ControllerChangeHandler.
func (c *Controller) registerControllerHandler() (bool, error) {
	return c.zk.RegisterZNodeChangeHandlerAndCheckExistence(controllerPath, zkclient.ZNodeChangeHandler{
		Created:     func() { c.putEvent(controllerChangeEvent) },
		DataChanged: func() { c.putEvent(controllerChangeEvent) },
		Deleted:     func() { c.putEvent(reelectEvent) },
	})
}

// elect tries to become the controller. Losing is not an error: the winner's id is read instead. Any other error after
// winning gives the office up, so that others can run. Kafka: KafkaController.elect.
func (c *Controller) elect() error {
	id, err := c.zk.GetControllerID()
	if err != nil {
		return err
	}
	c.setActive(id)
	if id != kafka.NoBroker {
		c.j.note(env.CtxSet, controllerPath, "elect.taken", env.A("controller", env.Int(id)))
		return nil
	}
	err = c.takeOffice()
	switch {
	case err == nil:
		return nil
	case isMoved(err):
		if err := c.maybeResign(); err != nil {
			return err
		}
		key := "elect.lost"
		if c.activeControllerID == kafka.NoBroker {
			key = "elect.lostToNobody"
		}
		c.j.note(env.CtxSet, controllerPath, key, env.A("controller", env.Int(c.activeControllerID)), env.A("error", err.Error()))
		return nil
	default:
		c.j.note(env.CtxSet, "", "elect.failed", env.A("error", err.Error()))
		return c.triggerControllerMove()
	}
}

// takeOffice creates /controller with the next epoch and does what a new controller must do.
func (c *Controller) takeOffice() error {
	epoch, zkVersion, err := c.zk.RegisterControllerAndIncrementControllerEpoch(c.cfg.BrokerID)
	if err != nil {
		return err
	}
	c.ctx.setEpoch(epoch, zkVersion)
	c.activeControllerID = c.cfg.BrokerID
	c.noteActive()
	c.j.note(env.CtxSet, controllerPath, "elect.won", env.A("controller", env.Int(c.cfg.BrokerID)), env.A("epoch", env.Int(epoch)))
	return c.onControllerFailover()
}

// maybeResign reads who is the controller, watching /controller again, and resigns if this broker no longer is.
// Kafka: KafkaController.maybeResign.
func (c *Controller) maybeResign() error {
	wasActive := c.IsActive()
	if _, err := c.registerControllerHandler(); err != nil {
		return err
	}
	id, err := c.zk.GetControllerID()
	if err != nil {
		return err
	}
	c.setActive(id)
	if wasActive && !c.IsActive() {
		c.onControllerResignation()
	}
	return nil
}

// triggerControllerMove gives the office up: it resigns and deletes /controller, so that every broker runs again. If
// /controller names another broker nothing is done. Kafka: KafkaController.triggerControllerMove.
func (c *Controller) triggerControllerMove() error {
	id, err := c.zk.GetControllerID()
	if err != nil {
		return err
	}
	c.setActive(id)
	if !c.IsActive() {
		c.j.note(env.CtxSet, "", "move.notController", env.A("controller", env.Int(id)))
		return nil
	}
	fence := c.fence()
	c.setActive(kafka.NoBroker)
	c.onControllerResignation()
	if err := c.zk.DeleteController(fence); isMoved(err) {
		c.j.note(env.CtxSet, controllerPath, "move.tooLate", env.A("error", err.Error()))
	} else if err != nil {
		return err
	}
	return nil
}

// handleIllegalState: the controller's own batch contradicts itself, so it gives the office up; the error stays.
// Kafka: KafkaController.handleIllegalState.
func (c *Controller) handleIllegalState(err error) error {
	c.batch.clear()
	c.j.note(env.CtxSet, "", "controller.illegalState", env.A("error", err.Error()))
	if moveErr := c.triggerControllerMove(); moveErr != nil {
		return moveErr
	}
	return err
}
